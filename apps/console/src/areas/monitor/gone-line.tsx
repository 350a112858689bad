import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/body-state.tsx'

/** The line of the address is not there (any more), or may not be seen: said, instead of silently shown as nothing. */
export function GoneLine({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  return (
    <section className="drawer" role="dialog" aria-label={t('goneLine')}>
      <Empty title={t('goneLine')} hint={t('goneLineHint')} action={{ label: t('app:close'), run: onClose }} />
    </section>
  )
}
