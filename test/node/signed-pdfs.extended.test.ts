import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { organizationApi } from '../../scripts/api';
import { eventually } from '../support/eventually';
import { ownService } from './support/own-service';
import { post } from './support/service';

/** Files of other validators' test suites, with what they agree on in `expected.tsv`; they are not in the repository. */
const DIR = process.env.SIGNED_PDFS ?? resolve(import.meta.dirname, '../../../shared/signed-pdfs');
const HARMLESS = ['none', 'metadata', 'validation_data', 'signatures'];

interface Report {
  status: string;
  sub_indication: string | null;
  later_changes: string;
  signatures: { status: string; sub_indication: string | null }[];
}

const { service } = await ownService();
const expected = readFileSync(join(DIR, 'expected.tsv'), 'utf8').trim().split('\n');

test.each(expected.map((line) => line.split('\t')))('%s is %s', async (name = '', verdict = '') => {
  const { url, headers, body } = service.curl;
  const envelope = JSON.parse(body);
  envelope.external_reference = name;
  envelope.payload.prescription_pdf_base64 = readFileSync(join(DIR, name)).toString('base64');
  const answer = await post(url, headers, JSON.stringify(envelope));
  expect(answer.status, answer.body).toBe(200);
  const report = await eventually(() => reportOf(JSON.parse(answer.body).id));
  expect(verdictOf(report), JSON.stringify(report)).toBe(verdict);
});

async function reportOf(requestId: string): Promise<Report> {
  const { base_url, org_id, api_key } = service.demo;
  const api = await organizationApi(base_url, org_id, api_key);
  const { data } = await api('GET', `/order-requests/${requestId}/prescriptions`);
  expect(data[0].signature_report).not.toBeNull();
  return data[0].signature_report;
}

/** No list is verified here, so that what is intact has no chain. */
function verdictOf({ status, later_changes, signatures }: Report): string {
  if (status === 'none') return 'unsigned';
  const isIntact = signatures.every(({ sub_indication }) => sub_indication === 'NO_CERTIFICATE_CHAIN_FOUND');
  return signatures.length > 0 && isIntact && HARMLESS.includes(later_changes) ? 'intact' : 'not_intact';
}
