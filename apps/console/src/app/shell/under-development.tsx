import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Empty } from '../../ui/body-state.tsx'

/** The place of a page that is still to come. */
export function UnderDevelopment() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <main className="page">
      <Empty title={t('wip')} action={{ label: t('home'), run: () => navigate('/') }} />
    </main>
  )
}
