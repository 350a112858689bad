import { snapshot, taggedLines, tree } from '@linewarden/contract'
import { keyOf } from '../app/net/keys.ts'
import type { LiveListener } from '../app/net/live-link.ts'
import { refreshSoon } from '../app/net/refresh-soon.ts'
import { onSessionChange } from '../app/session/session.ts'
import { live } from './live-store.ts'

/** Births come by the dozen where a site is set up. */
const treeAfterMs = 300

onSessionChange(() => live.clear())

/** How lines and links stand goes into the live store; what the tree is made of is fetched anew. */
export const plantLive: LiveListener = {
  onMessages: (messages) => live.apply(messages),
  onLive({ t }) {
    if (t !== 'tree') return
    refreshSoon(keyOf(tree), treeAfterMs)
    refreshSoon(keyOf(snapshot), treeAfterMs)
    // Lines that came, or that somebody was given, may come with tags.
    refreshSoon(keyOf(taggedLines), treeAfterMs)
  },
}
