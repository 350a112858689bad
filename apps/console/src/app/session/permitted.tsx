import { Navigate, Outlet, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { mayOpen } from './permitted-pages.ts'
import { useSession } from './session.ts'

/** Pages that the person's role does not hold are not there for them. */
export function Permitted() {
  const { pathname } = useLocation()
  const user = useSession((state) => state.user)
  return user && mayOpen(pathname, user) ? <Outlet /> : <Navigate to={paths.notFound} replace />
}
