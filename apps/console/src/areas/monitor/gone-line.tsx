import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'

/** The line of the address is not there (any more), or may not be seen: said, instead of silently shown as nothing. */
export function GoneLine({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  return (
    <Drawer label={t('goneLine')} title={<h2>{t('goneLine')}</h2>} onClose={onClose}>
      <Empty title={t('goneLineHint')} action={{ label: t('app:close'), run: onClose }} />
    </Drawer>
  )
}
