import { sha256, toHex, utf8 } from '../../platform/crypto';
import { notFound } from '../../platform/errors';
import { SCRIPT } from '../client/script';
import { STYLES } from '../client/styles';
import type { ManageContext } from './env';

const PATH = '/manage/assets';
const HASH_LENGTH = 16;

interface Asset {
  text: string;
  type: string;
}

export interface AssetPaths {
  styles: string;
  script: string;
}

/** Made once an isolate, from what never changes. */
let known: { paths: AssetPaths; byName: Map<string, Asset> } | undefined;

/** Where the page finds its style and its script: a new content has a new name, so that caches may keep them for ever. */
export async function assetPaths(): Promise<AssetPaths> {
  return (await assets()).paths;
}

/** `GET /manage/assets/{name}`. Needs no session: they are the same for everybody. */
export async function respondAsset(c: ManageContext): Promise<Response> {
  const asset = (await assets()).byName.get(c.req.param('name') ?? '');
  if (!asset) throw notFound();
  return c.body(asset.text, 200, {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
  });
}

async function assets() {
  if (known) return known;
  const styles = await nameOf(STYLES, 'css');
  const script = await nameOf(SCRIPT, 'js');
  known = {
    paths: { styles: `${PATH}/${styles}`, script: `${PATH}/${script}` },
    byName: new Map([
      [styles, { text: STYLES, type: 'text/css; charset=utf-8' }],
      [script, { text: SCRIPT, type: 'text/javascript; charset=utf-8' }],
    ]),
  };
  return known;
}

async function nameOf(text: string, extension: string): Promise<string> {
  return `manage-${toHex(await sha256(utf8(text))).slice(0, HASH_LENGTH)}.${extension}`;
}
