import type { Papers } from '../../orders/service';
import type { View } from '../ui/view';
import { deskMessages } from './desk-messages';
import { Labels } from './label-page';
import { packingMessages } from './packing-messages';
import { Paper } from './paper';
import { Slip } from './slip-page';

interface PapersProps {
  view: View;
  papers: readonly Papers[];
  kind: 'slips' | 'labels';
  /** The list that they were picked from. */
  back: string;
}

/** The slips or the labels of several orders, to be printed at once. */
export function PapersPage({ view, papers, kind, back }: PapersProps) {
  const t = deskMessages(view);
  const packing = packingMessages(view);
  const bags = papers.reduce((sum, { order }) => sum + (order.bags ?? 1), 0);
  const [title, print] =
    kind === 'slips' ? [t.slipsOf(papers.length), packing.printSlip] : [t.labelsOf(bags), packing.printLabels(bags)];
  const Sheet = kind === 'slips' ? Slip : Labels;
  return (
    <Paper view={view} title={title} print={print} back={{ path: back, label: t.toList }}>
      {papers.map((detail) => (
        <Sheet view={view} detail={detail} />
      ))}
    </Paper>
  );
}
