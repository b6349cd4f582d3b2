import bulk from './bulk.md' with { type: 'text' };
import changelog from './changelog.md' with { type: 'text' };
import coming from './coming-from-another-system.md' with { type: 'text' };
import firstOrder from './first-order.md' with { type: 'text' };
import goLive from './go-live.md' with { type: 'text' };
import mirror from './mirror-the-assortment.md' with { type: 'text' };
import needsInfo from './needs-info-and-withdrawal.md' with { type: 'text' };
import receive from './receive-webhooks.md' with { type: 'text' };
import values from './values.md' with { type: 'text' };

export interface Guide {
  path: string;
  title: string;
  /** One line about what the reader gets. */
  about: string;
  /** Markdown (text.tsx). */
  text: string;
}

/** The guides in the order in which readers need them. Newcomers start with the first. */
export const GUIDES: readonly Guide[] = [
  guide('', firstOrder, 'First order in five minutes', 'A request, its review, the order, the hand-over.'),
  guide(
    '/guides/mirror-the-assortment',
    mirror,
    'Mirror the assortment',
    'A copy of products and stock that stays equal.',
  ),
  guide('/guides/receive-webhooks', receive, 'Receive webhooks', 'Verify, drop doubles, put in order, fill gaps.'),
  guide('/guides/bulk', bulk, 'Bulk', 'Ten thousand stocks in twenty calls.'),
  guide(
    '/guides/needs-info-and-withdrawal',
    needsInfo,
    'Needs info and withdrawal',
    "A request's whole life for a platform.",
  ),
  guide('/guides/go-live', goLive, 'Go live', 'What to have in place before the first real prescription.'),
  guide('/guides/coming-from-another-system', coming, 'Coming from another system', 'Names of fields side by side.'),
];

export const CHANGELOG = guide('/changelog', changelog, 'Changelog', 'What changed, and what may change.');
export const VALUES = guide('/values', values, 'Values', 'Every value that a field can have, and what it means.');

function guide(path: string, text: string, title: string, about: string): Guide {
  return { path: `/docs${path}`, title, about, text };
}
