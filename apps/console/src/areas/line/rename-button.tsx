import { Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '../../app/net/lazy-dialog.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Icon } from '../../ui/icon.tsx'

const RenameLine = lazyDialog(async () => (await import('../site/gateway-dialogs.tsx')).RenameLine)

/** Gives the line another name, where the person may do so at its gateway. */
export function RenameButton({ lineRef: { line, gateway } }: { lineRef: LineRef }) {
  const { t } = useTranslation('gateway')
  const [open, setOpen] = useState(false)
  const may = [useMayEdit(), useMayOpen('/system/geteway')].every(Boolean)
  if (!may) return null
  const word = t('renameLine')
  return (
    <>
      <button type="button" className="btn small quiet" aria-label={word} title={word} onClick={() => setOpen(true)}>
        <Icon name="edit" />
      </button>
      {open &&
        createPortal(
          <Suspense>
            <RenameLine deviceId={gateway.DeviceID} line={line} onClose={() => setOpen(false)} />
          </Suspense>,
          // What the drawer's head does to its title is not for that of a dialog.
          document.body,
        )}
    </>
  )
}
