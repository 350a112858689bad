import { useConnected } from '../../../app/net/live-link.ts'
import { useSession } from '../../../app/session/session.ts'
import { useMay } from '../../../app/session/use-may.ts'

/** What the person may do with scenes. The server asks again at every call. */
export function useSceneRights() {
  const shared = useSession(({ user }) => user?.Shared === true)
  return { connected: useConnected(), shared, maySwitch: useMay('lineSwitch'), mayManage: useMay('manageScene') }
}
