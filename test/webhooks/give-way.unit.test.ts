import { describe, expect, test } from 'vitest';
import { countedAsPost, giveWayToPosts } from '../../src/webhooks/posting/deliver';

const BEGUN = 1_000_000;

describe('Giving way to posts that are under way', () => {
  test('a command waits a few milliseconds while many posts are under way', async () => {
    const { posts, end } = begun(17);
    expect(await waitedAt(BEGUN + 249)).toEqual([1, 1, 1, 1]);
    end();
    await Promise.all(posts);
  });

  test('a command does not wait for receivers that hang, however many', async () => {
    const { posts, end } = begun(100);
    expect(await waitedAt(BEGUN + 250)).toEqual([]);
    end();
    await Promise.all(posts);
  });

  test('a command stops waiting as soon as enough posts have ended', async () => {
    const { posts, end } = begun(17);
    const turns: number[] = [];
    await giveWayToPosts({
      now: () => BEGUN,
      wait: async (ms) => {
        turns.push(ms);
        end();
        await Promise.all(posts);
      },
    });
    expect(turns).toEqual([1]);
  });

  test('a command does not wait while few posts are under way, nor for posts that have failed', async () => {
    const failed = Array.from({ length: 17 }, () => countedAsPost(at(BEGUN), Promise.reject(new Error('refused'))));
    await Promise.allSettled(failed);
    const { posts, end } = begun(16);
    expect(await waitedAt(BEGUN)).toEqual([]);
    end();
    await Promise.all(posts);
  });
});

const at = (now: number) => ({ now: () => now });

function begun(count: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { posts: Array.from({ length: count }, () => countedAsPost(at(BEGUN), promise)), end: resolve };
}

async function waitedAt(now: number): Promise<number[]> {
  const turns: number[] = [];
  const wait = async (ms: number) => {
    turns.push(ms);
  };
  await giveWayToPosts({ ...at(now), wait });
  return turns;
}
