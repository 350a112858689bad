import type { DeviceRecord } from '@linewarden/contract'
import { equipmentLedger } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMayEdit } from '../../app/session/use-may.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { DeviceList } from '../site/device-list.tsx'
import { LabelSheet } from './label-sheet.tsx'
import { LifeDialog } from './life-dialog.tsx'

/** What equipment is there, where does it stand, who is asked about it, and how long is it good for? With labels that lead from the cabinet to the line. */
export function AssetRegisterPage() {
  const { t } = useTranslation('gateway')
  const [labelled, setLabelled] = useState<readonly DeviceRecord[] | null>(null)
  const [dated, setDated] = useState<readonly DeviceRecord[] | null>(null)
  const mayEdit = useMayEdit()
  return (
    <Page title={t('ledger')}>
      <DeviceList
        label={t('ledger')}
        ledger
        call={equipmentLedger}
        {...(mayEdit && {
          rowActions: (device: DeviceRecord) => (
            <button type="button" className="btn small quiet" onClick={() => setDated([device])}>
              {t('lifeEdit')}
            </button>
          ),
        })}
        below={({ rows, keys, clear }) => (
          <SelectionBar keys={keys} onClear={clear}>
            {mayEdit && (
              <button type="button" className="btn" onClick={() => setDated(rows)}>
                {t('lifeEdit')}
              </button>
            )}
            <button type="button" className="btn" onClick={() => setLabelled(rows)}>
              <Icon name="page" />
              {t('labels')}
            </button>
          </SelectionBar>
        )}
      />
      {dated && dated.length > 0 && <LifeDialog devices={dated} onClose={() => setDated(null)} />}
      {labelled && <LabelSheet devices={labelled} onClose={() => setLabelled(null)} />}
    </Page>
  )
}
