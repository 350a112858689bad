import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '../../../app/net/lazy-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'

const ScanDialog = lazyDialog(async () => (await import('./scan-dialog.tsx')).ScanDialog)

/** Reads a label: whichever stop it is of is arrived at, and opened. */
export function ScanButton({ roundId, stopId, isLarge = false }: { roundId?: string; stopId?: number; isLarge?: boolean }) {
  const { t } = useTranslation('phoneRounds')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={isLarge ? 'btn primary' : 'phone-tool'}
        aria-label={isLarge ? undefined : t('scan')}
        onClick={() => setOpen(true)}
      >
        <Icon name="code" />
        {isLarge && t('scan')}
      </button>
      {isOpen && <ScanDialog roundId={roundId ?? null} stopId={stopId ?? null} onClose={() => setOpen(false)} />}
    </>
  )
}
