import type { Child } from '../../platform/markup/markup';
import { Hidden } from '../ui/hidden';
import { Icon } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { itemMessages } from './item-messages';
import { DecidedRows, LineRows } from './line-row';
import { decidedViews, lineViews } from './line-views';
import { messages } from './messages';
import { pickerPath } from './product-choices';
import type { ReviewProps } from './review-state';

/** What is supplied, line by line; of a request that waits it is a part of its form. */
export function Items({ view, review, state }: ReviewProps) {
  const { request } = review;
  if (request.status !== 'pending') {
    const decided = decidedViews(review);
    return (
      <>
        <div class="strip">
          <OnThisPage view={view} review={review} count={decided.length} />
        </div>
        <ItemsTable view={view}>
          {decided.map((of) => (
            <DecidedRows {...{ view, review, of }} />
          ))}
        </ItemsTable>
      </>
    );
  }
  const views = lineViews(review, state, view.language);
  // The last one is empty: its product field stands above the table.
  const shown = views.slice(0, -1);
  return (
    <div data-picker={pickerPath(request.id)}>
      <div class="strip">
        <OnThisPage view={view} review={review} count={shown.length} />
        <AddField view={view} row={shown.length} />
      </div>
      <Hidden name="lines" value={String(views.length)} />
      {shown.length === 0 && <p class="quiet no-items">{messages(view).blockerTexts.no_lines}</p>}
      <ItemsTable view={view}>
        {shown.map((of) => (
          <LineRows {...{ view, review, state, of }} />
        ))}
      </ItemsTable>
    </div>
  );
}

function OnThisPage({ view, review, count }: Omit<ReviewProps, 'state'> & { count: number }) {
  const t = itemMessages(view);
  const { person, notes, questions } = review;
  return (
    <nav aria-label={t.here}>
      <a href="#items">{`${t.items} ${count}`}</a>
      <a href="#past">{`${t.past} ${person.orders.length + person.requests.length}`}</a>
      <a href="#course">{`${t.course} ${notes.length + questions.length + 1}`}</a>
    </nav>
  );
}

/** The product of another line: what is scanned goes here. */
function AddField({ view, row }: { view: View; row: number }) {
  const t = itemMessages(view);
  const name = `product-${row}`;
  return (
    <div class="find">
      <label class="unseen" for={name}>
        {t.add}
      </label>
      <Icon name="scan" />
      <input
        id={name}
        name={name}
        placeholder={t.addHint}
        autocomplete="off"
        data-scan="pzn"
        data-adds
        data-unchecked
        aria-keyshortcuts={view.hasShortcuts ? 's' : undefined}
      />
    </div>
  );
}

function ItemsTable({ view, children }: { view: View; children: Child }) {
  const t = itemMessages(view);
  const { common } = sharedMessages(view);
  return (
    <table class="items" id="items" tabindex={-1}>
      <caption class="unseen">{t.caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="pieces">
            {common.quantity}
          </th>
          <th scope="col">{t.product}</th>
          <th scope="col" class="stock number">
            {t.stock}
          </th>
          <th scope="col" class="price number">
            {common.price}
          </th>
          <th scope="col" class="change">
            <span class="unseen">{t.change}</span>
          </th>
        </tr>
      </thead>
      {children}
    </table>
  );
}
