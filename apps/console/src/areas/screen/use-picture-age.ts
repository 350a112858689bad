import { branding } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { useConnectivity } from '../../app/net/connectivity.ts'
import { silentFor, useLiveLink } from '../../app/net/live-link.ts'
import { useByNow } from '../../ui/use-now.ts'
import type { PictureAge } from './picture-age.ts'
import { pictureAge } from './picture-age.ts'

/** Without the socket the server is asked so often. */
const askMs = 6_000
/** Whoever loads the page has just been answered. */
const loadedAt = Date.now()

/** How the picture stands, and since when by the server’s clock nothing was heard; null: it is of now. */
export function usePictureAge(): { readonly age: PictureAge; readonly since: number | null } {
  const link = useLiveLink((state) => state.link)
  const lacksPart = useConnectivity(({ staleParts }) => staleParts > 0)
  const { dataUpdatedAt } = useQuery({
    queryKey: ['wall', 'is the server there'],
    queryFn: () => api.call(branding, {}, { timeoutMs: askMs }),
    refetchInterval: link === 'open' ? false : askMs,
    refetchIntervalInBackground: true,
    retry: false,
  })
  const silentSince = () => {
    const socket = silentFor()
    const polled = lacksPart || dataUpdatedAt === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - dataUpdatedAt)
    return Math.min(socket, polled, Math.max(0, Date.now() - loadedAt))
  }
  const age = useByNow(() => pictureAge(silentSince()))
  const since = useByNow((now) => (pictureAge(silentSince()) === 'live' ? 0 : Math.round((now - silentSince()) / 1_000) * 1_000))
  return { age, since: since === 0 ? null : since }
}
