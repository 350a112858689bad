import { userInfo } from '@linewarden/contract'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { loginFor } from '../paths.ts'
import { Loading } from '../ui/body-state.tsx'
import { api } from './api.ts'
import { queryClient } from './query-client.ts'
import { end, setUser, useSession } from './session.ts'

/** The gate of all that lies behind the login. */
export function Guard() {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn />
    </QueryClientProvider>
  )
}

/** No token: to the login, which leads back. A token without roles: fetch them first; if that fails the session is over. */
function SignedIn() {
  const { pathname, search } = useLocation()
  const { token, user } = useSession()
  const { data, isError } = useQuery({
    queryKey: ['user', token],
    queryFn: () => api.call(userInfo),
    enabled: token !== '' && user === null,
    retry: 1,
  })
  useEffect(() => {
    if (data) setUser(data)
  }, [data])
  useEffect(() => {
    if (isError) end()
  }, [isError])
  if (token === '') return <Navigate to={loginFor(pathname + search)} replace />
  return user ? <Outlet /> : <Loading />
}
