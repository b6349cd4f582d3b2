import { SNIPPETS } from '../../webhooks/service';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { Code, Prose } from './text';

const SCHEMES = [
  {
    header: 'webhook-signature',
    facts: [
      ['What is signed', '`id.timestamp.body`: webhook-id, webhook-timestamp and the body, joined by dots'],
      ['Key bytes', 'the 32 bytes that the base64 after `whsec_` stands for'],
      ['Written as', 'base64 after `v1,`; several are separated by spaces'],
      ['Protects against replay', 'yes, by the timestamp'],
    ],
  },
  {
    header: 'X-Service-Signature',
    facts: [
      ['What is signed', 'the body'],
      ['Key bytes', 'the UTF-8 bytes of the whole secret: `whsec_` included, nothing decoded'],
      ['Written as', 'lowercase hex after `sha256=`'],
      ['Protects against replay', 'no'],
    ],
  },
];

export function SignaturesPage() {
  return (
    <>
      <h1>Verify a signature</h1>
      <p>
        Every webhook carries two signatures, both HMAC-SHA-256 with the subscription's signing secret (
        <code>whsec_…</code>, shown once). Check one of them before you trust the body. Prefer{' '}
        <code>webhook-signature</code> (<cite>Standard Webhooks 1.0</cite>): it covers the time, so that an old post
        cannot be replayed.
      </p>
      <div class="schemes">
        {SCHEMES.map(({ header, facts }) => (
          <section aria-labelledby={`scheme-${header}`}>
            <h2 id={`scheme-${header}`}>
              <code>{header}</code>
            </h2>
            <dl>
              {facts.map(([name = '', text = '']) => (
                <>
                  <dt>{name}</dt>
                  <dd>
                    <Prose text={text} />
                  </dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <ul>
        <li>
          <strong>Use the bytes exactly as received.</strong> A body that is parsed and serialized again has another
          signature.
        </li>
        <li>
          <strong>The two schemes derive their key differently from the same secret.</strong> If one scheme verifies and
          the other does not, look there first.
        </li>
        <li>Compare in constant time, and refuse a timestamp that is more than five minutes off.</li>
        <li>
          <strong>A rotation has an overlap</strong> of your choice, up to 7 days, in which the old and the new secret
          are valid. <code>webhook-signature</code> then carries a signature by each, so either secret verifies.{' '}
          <code>X-Service-Signature</code> has room for one and stays with the old secret until the overlap ends: if you
          check that one, put the new secret in place and end the overlap in the settings.
        </li>
        <li>
          Respond with 401 if the signature is not valid. Otherwise use <code>id</code> to process each event only once.
        </li>
      </ul>
      <ReceiverKit />
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <section aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          <p>
            Checks <code>{scheme}</code>.{' '}
            {install && (
              <>
                Install: <code>{install}</code>
              </>
            )}
          </p>
          <Code label={title} text={code} />
        </section>
      ))}
    </>
  );
}

function ReceiverKit() {
  return (
    <section aria-labelledby="kit">
      <h2 id="kit">JavaScript: one file to copy</h2>
      <p>
        <a href="/docs/receiver.js" download="receiver.js">
          receiver.js
        </a>{' '}
        runs in Node.js from 20 on, Cloudflare Workers, Deno and browsers, and depends on nothing.{' '}
        <code>verify(body, headers, secrets)</code> checks <code>webhook-signature</code> and returns the event with its
        id, or throws a <code>WebhookError</code> whose <code>reason</code> says what is wrong. During a rotation, pass
        both secrets.
      </p>
      <Code label="receiver.js" text={receiver} />
      <p>
        With it, a whole receiver (
        <a href="/docs/server.js" download="server.js">
          server.js
        </a>
        ): start it with <code>WEBHOOK_SECRET=whsec_… node server.js</code>.
      </p>
      <Code label="server.js" text={server} />
    </section>
  );
}
