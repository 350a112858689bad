import type { DeviceRecord } from '@linewarden/contract'
import { equipmentLedger } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { DeviceList } from './device-list.tsx'
import { LabelSheet } from './label-sheet.tsx'

/** What equipment is there, where does it stand, who is asked about it? With labels that lead from the cabinet to the line. */
export function LedgerPage() {
  const { t } = useTranslation('gateway')
  const [labelled, setLabelled] = useState<readonly DeviceRecord[] | null>(null)
  return (
    <Page title={t('ledger')}>
      <DeviceList
        label={t('ledger')}
        ledger
        fetch={(body) => api.call(equipmentLedger, { body })}
        below={({ rows, keys, clear }) => (
          <SelectionBar keys={keys} onClear={clear}>
            <button type="button" className="btn" onClick={() => setLabelled(rows)}>
              <Icon name="page" />
              {t('labels')}
            </button>
          </SelectionBar>
        )}
      />
      {labelled && <LabelSheet devices={labelled} onClose={() => setLabelled(null)} />}
    </Page>
  )
}
