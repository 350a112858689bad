import type { listOrderNotices, Reply } from '@linewarden/contract'

type Listed = Pick<Reply<typeof listOrderNotices>['items'][number], 'EventID' | 'OrderID'>

/**
 * What is unread of an order: its newest notice, by which the next is told from it; `unlisted` where there are more than are listed, and some
 * of it may be among those. Null: nothing.
 */
export function unreadOf(
  { items, total }: { readonly items: readonly Listed[]; readonly total: number },
  orderId: number,
): string | null {
  const newest = items.find(({ OrderID }) => OrderID === orderId)
  return newest?.EventID ?? (total > items.length ? 'unlisted' : null)
}
