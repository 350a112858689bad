import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Empty } from '../../ui/body-state.tsx'

export function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <main className="page">
      <Empty title={t('notFound')} hint={t('notFoundHint')} action={{ label: t('home'), run: () => navigate('/') }} />
    </main>
  )
}
