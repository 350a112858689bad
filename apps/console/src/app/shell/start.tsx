import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import { Empty } from '../../ui/body-state.tsx'
import { useSession } from '../session/session.ts'
import { startOf } from './menu.ts'
import { BuiltPages } from './use-menu.ts'

/** Leads to the page a person begins with; who was granted none is told so, and whom to ask. */
export function Start() {
  const { t } = useTranslation()
  const user = useSession((state) => state.user)
  const built = useContext(BuiltPages)
  if (!user) return null
  const start = startOf(user, built)
  if (start !== null) return <Navigate to={start} replace />
  return (
    <main className="page">
      <Empty title={t('noPage')} hint={t('noPageHint')} action={{ label: t('retry'), run: () => location.reload() }} />
    </main>
  )
}
