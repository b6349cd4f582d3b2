import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { vi } from 'vitest';
import { toolsIn } from './outside';

const tools = toolsIn('s3', { python: ['moto[server]==5.2.5'] });
const START_MS = 60_000;
const BUCKET = 'backups';
/** Of calls before keys are asked for: names the service that is meant. */
const MEANT = (service: string) => ({
  Authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
});

/** An S3 server (moto) with one bucket that can lock objects, in memory. It checks signatures and rights. */
export class Bucket {
  /** `id:secret` of a key that may put objects, and nothing else. */
  writer = '';
  private reader: AwsClient | undefined;
  private child: ChildProcess | undefined;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/${BUCKET}`;
  }

  install(): Promise<void> {
    return tools.install();
  }

  async start(): Promise<void> {
    const args = ['-H', '127.0.0.1', '-p', String(this.port)];
    this.child = spawn(tools.python('moto_server'), args, { stdio: 'ignore' });
    const isUp = () =>
      fetch(`http://127.0.0.1:${this.port}/moto-api/`).then(
        (answer) => answer.ok,
        () => false,
      );
    await vi.waitUntil(isUp, { timeout: START_MS });
    await fetch(this.url, { method: 'PUT', headers: { ...MEANT('s3'), 'x-amz-bucket-object-lock-enabled': 'true' } });
    this.writer = await this.newKey('writer', ['s3:PutObject', 's3:PutObjectRetention']);
    const [accessKeyId = '', secretAccessKey = ''] = (await this.newKey('reader', ['s3:*'])).split(':');
    this.reader = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'us-east-1' });
    // From now on every call is checked.
    await fetch(`http://127.0.0.1:${this.port}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  }

  stop(): void {
    this.child?.kill('SIGKILL');
  }

  private async newKey(UserName: string, actions: string[]): Promise<string> {
    const iam = async (Action: string, more: Record<string, string> = {}) => {
      const body = new URLSearchParams({ Action, UserName, Version: '2010-05-08', ...more });
      const answer = await fetch(`http://127.0.0.1:${this.port}/`, { method: 'POST', headers: MEANT('iam'), body });
      if (!answer.ok) throw new Error(`${Action}: ${await answer.text()}`);
      return answer.text();
    };
    await iam('CreateUser');
    const Statement = [{ Effect: 'Allow', Action: actions, Resource: '*' }];
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam('PutUserPolicy', { PolicyName: 'own', PolicyDocument });
    const made = await iam('CreateAccessKey');
    const text = (name: string) => new RegExp(`<${name}>([^<]+)`).exec(made)?.[1] ?? '';
    return `${text('AccessKeyId')}:${text('SecretAccessKey')}`;
  }

  /** Whoever has all rights calls. */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    if (!this.reader) throw new Error('It has not been started.');
    return this.reader.fetch(this.url + path, init);
  }

  async keys(prefix: string): Promise<string[]> {
    const answer = await this.call(`?list-type=2&max-keys=1000&prefix=${encodeURIComponent(prefix)}`);
    return [...(await answer.text()).matchAll(/<Key>([^<]+)/g)].map(([, key = '']) => key);
  }

  /** The folders of the whole backups of an organization, the oldest first. */
  async backupsOf(orgId: string): Promise<string[]> {
    const keys = await this.keys(`organizations/${orgId}/`);
    return keys.flatMap((key) => /^(.*\/)manifest\.json\.age$/.exec(key)?.[1] ?? []);
  }

  /** Fetches a folder of the bucket, as any S3 client does. */
  async fetchTo(prefix: string, folder: string): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const key of await this.keys(prefix)) {
      const bytes = await (await this.call(`/${key}`)).arrayBuffer();
      writeFileSync(join(folder, key.slice(prefix.length)), new Uint8Array(bytes));
    }
  }
}
