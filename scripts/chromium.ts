import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { ROOT } from './paths.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const EXECUTABLE = 0o755;

/**
 * Starts the machine's own Chromium or Chrome, else the one that came with the dependencies. Downloads nothing.
 * `CHROMIUM_PATH` names another one.
 * @throws Error that says what is missing
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH || onThisMachine() || (await packed());
  try {
    return await chromium.launch({ executablePath });
  } catch (cause) {
    const advice =
      'Install Chromium or Chrome, or on Debian for the one of the dependencies: libnss3 fonts-dejavu-core';
    throw new Error(`${executablePath} does not start. ${advice}`, { cause });
  }
}

function onThisMachine(): string | undefined {
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => NAMES.map((name) => join(dir, name)));
  return [...inPath, ...APPLICATIONS].find((path) => existsSync(path));
}

/**
 * The Chromium for Linux (x64) of the package @sparticuz/chromium, unpacked once for each version. The package's
 * own function is not used: it unpacks into a directory that the whole machine shares, and accepts any file that is
 * already there, even an incomplete one.
 */
async function packed(): Promise<string> {
  const home = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('Install Chromium or Chrome.');
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const path = join(ROOT, 'node_modules/.cache/offizin', `chromium-${version}`);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await pipeline(createReadStream(join(home, 'bin/chromium.br')), createBrotliDecompress(), createWriteStream(draft));
  chmodSync(draft, EXECUTABLE);
  renameSync(draft, path);
  return path;
}
