import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/body-state.tsx'
import { Drawer } from '../../ui/drawer.tsx'

/** What the tree had selected is not there (any more): said, instead of shown as an empty plant. */
export function GoneSelection({ onAll }: { onAll: () => void }) {
  const { t } = useTranslation('monitor')
  return <Empty title={t('goneSelection')} hint={t('goneLineHint')} action={{ label: t('allProjects'), run: onAll }} />
}

/** The line of the address is not there (any more), or may not be seen: said, instead of silently shown as nothing. */
export function GoneLine({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['monitor', 'app'])
  return (
    <Drawer label={t('goneLine')} title={<h2>{t('goneLine')}</h2>} onClose={onClose}>
      <Empty title={t('goneLineHint')} action={{ label: t('app:close'), run: onClose }} />
    </Drawer>
  )
}
