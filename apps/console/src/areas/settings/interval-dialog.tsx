import type { LineSettings } from '@linewarden/contract'
import { setReportingInterval } from '@linewarden/contract'
import { reportingInterval, settingFault } from '@linewarden/rules/settings'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { TextField } from '../../ui/fields.tsx'
import { resultOf, showResults } from './changes.ts'
import { SendDialog } from './send-dialog.tsx'
import { shown, withUnit } from './values.ts'

/** How often the gateway of this line reports, which is one setting for all of its lines. */
export function IntervalDialog({ line, project, onClose }: { line: LineSettings; project: string; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [text, setText] = useState(shown(line.IntervalSeconds))
  const seconds = Number(text)
  const { min, max, unit } = reportingInterval
  const wrong = text.trim() === '' || settingFault(reportingInterval, seconds, '', null) !== null
  const range = t('mustBe', { min: shown(Number(min)), max: shown(Number(max)), unit })
  return (
    <SendDialog
      title={t('intervalTitle', { name: line.GatewayName })}
      what={t('intervalWhat')}
      intent={{ gateway: line.DeviceID, settings: { [reportingInterval.key]: seconds } }}
      rows={[
        {
          name: t('interval'),
          from: withUnit(reportingInterval, line.IntervalSeconds),
          to: wrong ? '–' : withUnit(reportingInterval, seconds),
          isBypass: false,
        },
      ]}
      targets={[{ name: line.GatewayName, place: [project] }]}
      onClose={onClose}
      blocked={wrong ? range : null}
      onSend={async ({ id, ...why }) => {
        const body = { DeviceID: line.DeviceID, Seconds: seconds, CommandID: id, ...why }
        showResults([resultOf(await api.call(setReportingInterval, { body }))])
      }}
    >
      <TextField
        label={t('interval')}
        value={text}
        onChange={setText}
        unit="s"
        inputMode="numeric"
        error={wrong ? range : null}
      />
    </SendDialog>
  )
}
