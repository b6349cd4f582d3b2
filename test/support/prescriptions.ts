import { env } from 'cloudflare:workers';
import { newId } from '../../src/platform/ids';
import { consumeFetches } from '../../src/prescriptions/sweep';
import { rowOf } from './rows';
import {
  envelope,
  openPharmacy,
  PDF_TEXT,
  type Pharmacy,
  type RungFor,
  rows,
  silentQueue,
  submit,
  systemContext,
} from './world';

export interface PrescriptionRow {
  id: string;
  origin: string;
  status: string;
  file_key: string | null;
  sha256: string | null;
  size_bytes: number | null;
  file_fault: string | null;
  source_url: string | null;
  fetch_attempts: number;
  next_fetch_at: number;
  fetch_failure: string | null;
  approved_at: number | null;
  approved_lines: string | null;
}

/** A link as platforms send it, on a host that no other test uses. */
export function newLink(): string {
  return `https://files-${newId()}.example.com/rx/4711.pdf?signature=s3cr3t&expires=1`;
}

export interface Linked {
  pharmacy: Pharmacy;
  url: string;
  id: string;
  response: Response;
  /** The message that the connector enqueued. */
  enqueued: RungFor[];
}

/** A pharmacy of its own that got one order request with a link to its prescription. */
export async function submitLink(payload: Record<string, unknown> = {}): Promise<Linked> {
  const pharmacy = await openPharmacy();
  const url = newLink();
  const { queue, enqueued } = silentQueue();
  const body = envelope({ prescription_pdf_url: url, ...payload });
  const response = await submit(pharmacy, body, { PRESCRIPTION_FETCHES: queue });
  const [row] = await rows<PrescriptionRow>('select * from prescriptions where org_id = ?', pharmacy.orgId);
  if (!row) throw new Error(`no prescription: ${response.status}`);
  return { pharmacy, url, id: row.id, response, enqueued };
}

export const prescriptionRow = (id: string) => rowOf<PrescriptionRow>('prescriptions', { id });

/** One message for each id, in one batch, at one moment. @returns the messages that followed */
export async function fetchPrescriptions(
  ids: readonly string[],
  options: Parameters<typeof systemContext>[0] = {},
): Promise<RungFor[]> {
  const { ctx, fetchesEnqueued } = systemContext(options);
  await consumeFetches(ctx, ids);
  return fetchesEnqueued;
}

export async function fileKeys(): Promise<string[]> {
  return (await env.FILES.list({ prefix: 'prescriptions/' })).objects.map(({ key }) => key);
}

export function pdfAnswer(): Response {
  return new Response(PDF_TEXT, { headers: { 'Content-Type': 'application/pdf' } });
}

/** Files of a day that no row names and nobody gave up. @returns their keys */
export async function putOrphans(count: number, at: number): Promise<string[]> {
  const day = new Date(at).toISOString().slice(0, 10);
  const keys = Array.from({ length: count }, () => `prescriptions/${day}/${newId()}`);
  for (const key of keys) await env.FILES.put(key, PDF_TEXT);
  return keys;
}
