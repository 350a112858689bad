import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from './lazy-part.tsx'
import { LoadError } from './load-error.tsx'

/** A dialog that comes in a file of its own; where the file does not come, a dialog says so. */
export const lazyDialog = <P extends { onClose: () => void }>(fetch: () => Promise<ComponentType<P>>) =>
  lazyPart(fetch, LoadErrorDialog)

function LoadErrorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog label={t('failed')} onClose={onClose}>
      <LoadError />
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
