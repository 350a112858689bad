import { CallError } from '@linewarden/client'
import type { UserInfo } from '@linewarden/contract'
import { userInfo } from '@linewarden/contract'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { Suspense, useDeferredValue, useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { loginFor, paths } from '../../paths.ts'
import { Loading } from '../../ui/body-state.tsx'
import { keyOf } from '../net/keys.ts'
import { fetchUser, hasPrerequisite } from '../net/prefetch.ts'
import { queryClient } from '../net/query-client.ts'
import { isBelow } from './permitted-pages.ts'
import { hasLeft, setUser, useSession } from './session.ts'
import { sessionOver } from './session-over.ts'
import { Unreachable } from './unreachable.tsx'

/** The gate of all that lies behind the login. */
export interface GateParts {
  /** What comes before every page. */
  readonly First: ComponentType<{ user: UserInfo }>
  /** What a wall shows that was opened while the server is away. */
  readonly Wall: ComponentType<{ busy: boolean; retry: () => void }>
}

export function Guard(parts: GateParts) {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn {...parts} />
    </QueryClientProvider>
  )
}

/**
 * No token: to the login, which leads back, but after signing out. A token without roles: fetch them first. If the server refuses them the session is over; a
 * server that fails or cannot be reached says nothing about the session (docs/adr/0028).
 */
function SignedIn({ First, Wall }: GateParts) {
  const { pathname, search } = useLocation()
  const isPhone = isBelow(paths.phoneRounds, pathname) || isBelow(paths.phoneOrders, pathname)
  const { token, user, seated } = useSession()
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery({
    queryKey: [...keyOf(userInfo), token],
    queryFn: fetchUser,
    enabled: token !== '' && user === null && !seated,
    retry: (count, problem) => count < 1 && isRefused(problem),
    refetchInterval: ({ state }) => (state.error && !isRefused(state.error) ? retryMs : false),
  })
  useEffect(() => {
    if (data) setUser(data)
  }, [data])
  const refused = error !== null && isRefused(error)
  useEffect(() => {
    if (refused) sessionOver()
  }, [refused])
  // The whole page comes up at once: as a deferred draw it makes way for the person and the browser in between.
  const isUp = useDeferredValue(user !== null, false)
  // A wall that a link opened is nobody: behind the login there is nothing for it.
  if (seated) return <Navigate to={paths.bigScreen} replace />
  if (token === '') return <Navigate to={hasLeft() ? paths.login : loginFor(pathname + search)} replace />
  if (user && hasPrerequisite(user))
    return (
      <Suspense fallback={<Loading />}>
        <First user={user} />
      </Suspense>
    )
  // Below ground nobody answers who this is: a page of the phone shows what it keeps for the account whose session this is, and stays
  // as it is once that is answered.
  if ((user && isUp) || isPhone) return <Outlet />
  // While it is asked again the error is forgotten; the person is still told, once, and keeps the button.
  const isAway = errorUpdateCount > 0 && !data && !refused
  if (!isAway) return <Loading />
  const away = { busy: isFetching, retry: () => void refetch() }
  return isBelow(paths.bigScreen, pathname) ? (
    <Suspense fallback={<Loading />}>
      <Wall {...away} />
    </Suspense>
  ) : (
    <Unreachable {...away} />
  )
}

const retryMs = 3_000

const isRefused = (error: Error): boolean =>
  error instanceof CallError &&
  error.refused &&
  (error.endsSession || ('status' in error.problem && error.problem.status !== 401))
