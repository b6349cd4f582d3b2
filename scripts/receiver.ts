import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';

export interface Receiver {
  close(): Promise<void>;
}

/**
 * Starts a receiver of webhooks that works like a subscriber's: it verifies each webhook with public libraries and
 * prints one line for it.
 * @param secretOf returns the subscription's signing secret; null while there is no subscription
 */
export async function startReceiver(port: number, secretOf: () => string | null): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const isAccepted = await receive(request, secretOf()).catch((error: unknown) => {
      console.error('The receiver failed:', error);
      return false;
    });
    response.writeHead(isAccepted ? 204 : 401).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { close: () => close(server) };
}

async function receive(request: IncomingMessage, secret: string | null): Promise<boolean> {
  const body = await text(request);
  const header = (name: string) => String(request.headers[name] ?? '');
  const about = [
    new Date().toTimeString().slice(0, 8),
    header('x-service-event') || '(no event type)',
    header('x-service-delivery-id') || '(no delivery id)',
    `attempt ${header('x-service-attempt') || '?'}`,
  ].join('  ');
  const wrong = secret === null ? ['there is no signing secret yet'] : await faultsOf(body, header, secret);
  if (wrong.length === 0) console.log(`${about}  signature verified (sha256=, webhook-signature)`);
  else console.error(`${about}  SIGNATURE REFUSED: ${wrong.join('; ')}`);
  return wrong.length === 0;
}

/**
 * Returns what is wrong with a webhook. The two signature schemes derive the key differently: one uses the secret's
 * UTF-8 bytes, the other the decoded base64.
 */
async function faultsOf(body: string, header: (name: string) => string, secret: string): Promise<string[]> {
  const faults: string[] = [];
  const isContract = await verify(secret, body, header('x-service-signature')).catch(() => false);
  if (!isContract) faults.push('X-Service-Signature does not match');
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
  } catch (error) {
    faults.push(`webhook-signature: ${error instanceof Error ? error.message : String(error)}`);
  }
  return faults;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
