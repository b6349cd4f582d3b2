import { findBatch, type SuppliedBatch } from '../../orders/batches';
import { BATCH_MAX } from '../../orders/limits';
import type { ManageContext } from '../http/env';
import { BATCHES, orderPath, SEARCH, withQuery } from '../http/paths';
import { amountText } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Nothing } from '../ui/parts';
import { Table } from '../ui/table';
import { respondPage, useView } from '../ui/view';
import { messages } from './messages';

/** `Charge AB12`: the batch that a search names. */
const NAMES_BATCH = /^(?:charge|batch|lot)[ :]+([^ :].*)$/i;
const SHOWN = 50;

/** The batch that a typed search asks for; undefined for another search. */
export function batchIn(typed: string): string | undefined {
  return NAMES_BATCH.exec(typed)?.[1]?.slice(0, BATCH_MAX);
}

/** Who got packs of a batch. */
export async function respondBatch(c: ManageContext): Promise<Response> {
  const batch = (c.req.query('q') ?? '').trim().slice(0, BATCH_MAX);
  if (batch === '') return c.redirect(SEARCH);
  const after = c.req.query('after')?.slice(0, 64) ?? null;
  const found = await findBatch(c.var.ctx, { batch, limit: SHOWN, after });
  return respondPage(c, <BatchPage batch={batch} {...found} />);
}

interface BatchProps {
  batch: string;
  supplied: SuppliedBatch[];
  nextCursor: string | null;
}

function BatchPage({ batch, supplied, nextCursor }: BatchProps) {
  const t = messages();
  const { orders, common } = sharedMessages();
  const { language } = useView();
  return (
    <Page title={t.batchTitle(batch)} back={{ path: SEARCH, label: t.title }}>
      {supplied.length === 0 ? (
        <Nothing title={t.batchNothing} />
      ) : (
        <Table
          class="rows brief"
          rows={supplied}
          columns={[
            {
              label: orders.id,
              kind: 'name',
              cell: ({ order }) => <a href={orderPath(order.id)}>{order.number}</a>,
            },
            { label: t.batchPerson, cell: (row) => <Person row={row} /> },
            { label: common.items, cell: ({ item }) => <bdi>{item.productName ?? item.name}</bdi> },
            { label: common.quantity, cell: ({ item, quantity }) => amountText({ unit: item.unit, quantity }) },
            { label: orders.status, cell: ({ left }) => (left ? t.batchLeft : t.batchHere) },
            { label: common.time, cell: ({ order }) => <Time at={order.createdAt} /> },
          ]}
        />
      )}
      {nextCursor && (
        <p>
          <a href={withQuery(BATCHES, { q: batch, after: nextCursor })} lang={language}>
            {t.batchMore}
          </a>
        </p>
      )}
    </Page>
  );
}

/** Who got it, with a way to reach them; of an erased person what law keeps. */
function Person({ row }: { row: SuppliedBatch }) {
  const t = messages();
  const { order, customerName, prescriberName } = row;
  const facts = [
    order.addressPhone,
    order.customerEmail,
    prescriberName && t.batchPrescriber(prescriberName),
    order.erasedAt !== null && t.batchErased,
  ];
  return (
    <>
      <bdi>{customerName ?? sharedMessages().orders.noName}</bdi>
      <small>{facts.filter(Boolean).join(' · ')}</small>
    </>
  );
}
