import { createServer } from 'node:http';
import { verify, WebhookError } from './receiver.js';

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(' ');
const seen = new Set(); // In your database: written together with what you do with the event.

createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) if (chunks.length < 100) chunks.push(chunk); // 64 KiB each at most
    const { id, event } = await verify(Buffer.concat(chunks), request.headers, secrets);
    if (!seen.has(id)) console.log(event.event_type, event.metadata); // Longer work belongs after the answer.
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
}).listen(process.env.PORT ?? 3000);
