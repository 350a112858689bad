import { Navigate, useLocation } from 'react-router'
import { paths } from '../../paths.ts'
import { useMenu } from './use-menu.ts'

/** A section's own address leads to its first page that the person may open; so does that of the reports within theirs. */
export function SectionStart() {
  const { pathname } = useLocation()
  const items = useMenu().flatMap((item) => [item, ...item.subs])
  const below = items.filter(({ page }) => page.route.startsWith(`${pathname}/`))
  const found =
    items.find(({ page }) => page.route === pathname) ?? below.find(({ underDevelopment }) => !underDevelopment) ?? below[0]
  const redirect = found?.redirect ?? paths.notFound
  return <Navigate to={redirect === pathname ? paths.notFound : redirect} replace />
}
