import { describe, expect, test } from 'vitest';
import { countedAsPost, giveWayToPosts } from '../../src/webhooks/deliveries/give-way';

describe('Giving way to posts that are under way', () => {
  test('a command waits a few milliseconds while many posts are under way, even if none of them ends', async () => {
    const { posts, end } = hanging(17);
    expect(await waited()).toEqual([1, 1, 1, 1]);
    end();
    await Promise.all(posts);
  });

  test('a command stops waiting as soon as enough posts have ended', async () => {
    const { posts, end } = hanging(17);
    const turns: number[] = [];
    await giveWayToPosts({
      wait: async (ms) => {
        turns.push(ms);
        end();
        await Promise.all(posts);
      },
    });
    expect(turns).toEqual([1]);
  });

  test('a command does not wait while few posts are under way, nor for posts that have failed', async () => {
    await Promise.all(
      Array.from({ length: 17 }, () => countedAsPost(Promise.reject(new Error('refused'))).catch(() => undefined)),
    );
    const { posts, end } = hanging(16);
    expect(await waited()).toEqual([]);
    end();
    await Promise.all(posts);
  });
});

function hanging(count: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { posts: Array.from({ length: count }, () => countedAsPost(promise)), end: resolve };
}

async function waited(): Promise<number[]> {
  const turns: number[] = [];
  await giveWayToPosts({
    wait: async (ms) => {
      turns.push(ms);
    },
  });
  return turns;
}
