import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { extract } from 'tar-fs';
import { ROOT } from './paths.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const PACKAGE = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');
const EXECUTABLE = 0o755;
/** Only the package's fonts are used, from the directory beside this file. The font cache is below `HOME`. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Whether the browser from the npm dependencies is used. It comes with its own libraries and fonts. */
export const isPacked = !process.env.CHROMIUM_PATH && process.platform === 'linux' && process.arch === 'x64';

/**
 * Starts a browser. If `CHROMIUM_PATH` is set, it names the browser. Otherwise, Linux (x64) uses the browser from the
 * npm dependencies, which is the same everywhere, and other systems use the installed Chromium or Chrome. Downloads
 * nothing.
 * @throws Error that says what is missing
 */
export async function launchChromium(): Promise<Browser> {
  if (isPacked) return launchPacked(await unpacked());
  const executablePath = process.env.CHROMIUM_PATH || onThisMachine();
  if (!executablePath) throw new Error('Install Chromium or Chrome, or name one in CHROMIUM_PATH.');
  return chromium.launch({ executablePath });
}

function onThisMachine(): string | undefined {
  const inPath = (process.env.PATH ?? '').split(delimiter).flatMap((dir) => NAMES.map((name) => join(dir, name)));
  return [...inPath, ...APPLICATIONS].find((path) => existsSync(path));
}

/**
 * Starts the browser with an environment of its own, without the machine's libraries, fonts, settings, proxies and time
 * zone.
 */
async function launchPacked(dir: string): Promise<Browser> {
  const env = {
    HOME: join(dir, 'home'),
    LD_LIBRARY_PATH: join(dir, 'lib'),
    FONTCONFIG_FILE: join(dir, 'fonts.conf'),
    LANG: 'en_US.UTF-8',
    TZ: 'Europe/Berlin',
  };
  try {
    return await chromium.launch({ executablePath: join(dir, 'chromium'), env });
  } catch (cause) {
    const advice = 'It needs nothing but glibc 2.34 or later; CHROMIUM_PATH names another browser.';
    throw new Error(`The Chromium of the dependencies does not start. ${advice}`, { cause });
  }
}

/**
 * The Chromium of the package @sparticuz/chromium with its libraries and fonts, unpacked once for each version. The
 * package's own function is not used: it unpacks into a directory that the whole machine shares, and accepts any file
 * that is already there, even an incomplete one.
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const dir = join(ROOT, 'node_modules/.cache/offizin', `browser-${version}`);
  if (existsSync(dir)) return dir;
  mkdirSync(dirname(dir), { recursive: true });
  const draft = mkdtempSync(`${dir}.`);
  await Promise.all([
    unpack('chromium.br', createWriteStream(join(draft, 'chromium'))),
    unpack('al2023.tar.br', extract(draft)),
    unpack('fonts.tar.br', extract(draft)),
  ]);
  chmodSync(join(draft, 'chromium'), EXECUTABLE);
  writeFileSync(join(draft, 'fonts.conf'), FONTS_CONF);
  try {
    renameSync(draft, dir);
  } catch (error) {
    // Another process was faster.
    rmSync(draft, { recursive: true });
    if (!existsSync(dir)) throw error;
  }
  return dir;
}

function unpack(archive: string, target: NodeJS.WritableStream): Promise<void> {
  return pipeline(createReadStream(join(PACKAGE, 'bin', archive)), createBrotliDecompress(), target);
}
