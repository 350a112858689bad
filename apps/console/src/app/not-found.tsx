import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Empty } from '../ui/body-state.tsx'
import { Logo } from '../ui/logo.tsx'

export function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <main style={{ padding: 32 }}>
      <Logo />
      <Empty title={t('notFound')} hint={t('notFoundHint')} action={{ label: t('home'), run: () => navigate('/') }} />
    </main>
  )
}
