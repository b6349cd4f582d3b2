import { sha256, toHex, utf8 } from '../../platform/crypto';
import { notFound } from '../../platform/errors';
import { completeCss } from '../../platform/markup/css';
import { FAVICON } from '../../platform/markup/logo';
import { once } from '../../platform/once';
import alive from '../client/alive.js' with { type: 'text' };
import bulk from '../client/bulk.js' with { type: 'text' };
import check from '../client/check.js' with { type: 'text' };
import codes from '../client/codes.generated.js' with { type: 'text' };
import controls from '../client/controls.css' with { type: 'text' };
import frame from '../client/frame.css' with { type: 'text' };
import guard from '../client/guard.js' with { type: 'text' };
import inbox from '../client/inbox.css' with { type: 'text' };
import keys from '../client/keys.js' with { type: 'text' };
import leave from '../client/leave.css' with { type: 'text' };
import lists from '../client/lists.css' with { type: 'text' };
import message from '../client/message.js' with { type: 'text' };
import narrow from '../client/narrow.css' with { type: 'text' };
import notify from '../client/notify.js' with { type: 'text' };
import order from '../client/order.css' with { type: 'text' };
import orders from '../client/orders.css' with { type: 'text' };
import page from '../client/page.js' with { type: 'text' };
import pages from '../client/pages.css' with { type: 'text' };
import parts from '../client/parts.css' with { type: 'text' };
import picker from '../client/picker.js' with { type: 'text' };
import post from '../client/post.js' with { type: 'text' };
import primitives from '../client/primitives.css' with { type: 'text' };
import print from '../client/print.css' with { type: 'text' };
import products from '../client/products.css' with { type: 'text' };
import refresh from '../client/refresh.js' with { type: 'text' };
import review from '../client/review.css' with { type: 'text' };
import reviewItems from '../client/review-items.css' with { type: 'text' };
import scan from '../client/scan.js' with { type: 'text' };
import seen from '../client/seen.js' with { type: 'text' };
import sound from '../client/sound.js' with { type: 'text' };
import type { ManageContext } from './env';

/** The style sheet of every page. */
export const styleSheet = once(() =>
  completeCss(
    [
      primitives,
      controls,
      frame,
      parts,
      lists,
      pages,
      inbox,
      review,
      reviewItems,
      order,
      orders,
      leave,
      products,
      print,
      narrow,
    ].join('\n'),
  ),
);

/** The script of every page: one scope, so files can use the names of files before them. */
export const script = once(
  () =>
    `'use strict';\n${[codes, page, sound, scan, guard, keys, post, check, seen, notify, refresh, alive, picker, message, bulk].map(withoutComments).join('\n')}`,
);

const PATH = '/manage/assets';
const HASH_LENGTH = 16;

interface Asset {
  text: string;
  type: string;
}

export interface AssetPaths {
  styles: string;
  script: string;
  icon: string;
}

/** Computed once per isolate, since the content never changes. */
let known: { paths: AssetPaths; byName: Map<string, Asset> } | undefined;

/** Paths of style sheet, script and icon. Each contains a hash of its content, so that caches may keep them forever. */
export async function assetPaths(): Promise<AssetPaths> {
  return (await assets()).paths;
}

/** `GET /manage/assets/{name}`. Needs no session: the files hold no data. */
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
  const styleName = await nameOf(styleSheet(), 'css');
  const scriptName = await nameOf(script(), 'js');
  const iconName = await nameOf(FAVICON, 'svg');
  known = {
    paths: { styles: `${PATH}/${styleName}`, script: `${PATH}/${scriptName}`, icon: `${PATH}/${iconName}` },
    byName: new Map([
      [styleName, { text: styleSheet(), type: 'text/css; charset=utf-8' }],
      [iconName, { text: FAVICON, type: 'image/svg+xml' }],
      [scriptName, { text: script(), type: 'text/javascript; charset=utf-8' }],
    ]),
  };
  return known;
}

async function nameOf(text: string, extension: string): Promise<string> {
  return `manage-${toHex(await sha256(utf8(text))).slice(0, HASH_LENGTH)}.${extension}`;
}

/** Removes comment lines and indentation. This is safe because no string in the scripts spans several lines. */
function withoutComments(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !/^(\/\/|\/\*|\*)/.test(line)).join('\n');
}
