import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Unfetched } from './unfetched.tsx'

/** A dialog that comes in a file of its own; where the file does not come, a dialog says so. */
export const lazyDialog = <P extends { onClose: () => void }>(fetch: () => Promise<ComponentType<P>>) =>
  lazyPart(fetch, UnfetchedDialog)

function UnfetchedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog label={t('failed')} onClose={onClose}>
      <Unfetched />
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
