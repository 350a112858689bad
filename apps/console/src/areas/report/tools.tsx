import type { deviceData, Request, ZoneClock } from '@linewarden/contract'
import { exportDeviceData } from '@linewarden/contract'
import type { Period } from '@linewarden/rules/report'
import { deviceDataSteps, usualPeriods } from '@linewarden/rules/report'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { ExportChoices } from '../../app/notify/export-menu.tsx'
import { Segments } from '../../ui/fields.tsx'
import { language } from '../../ui/i18n.ts'
import { MomentChoice } from '../../ui/moment-field.tsx'
import type { DataAddress } from './address.ts'
import { edited } from './address.ts'

export type Asked = Pick<Request<typeof deviceData>['body'], 'LineIDs' | 'Points' | 'Step' | 'From' | 'To'>
export type Change = (values: Readonly<Record<string, string | null>>) => void

/** Step and period: the usual ones by one press, any other by its ends. */
export function StepBar(props: { address: DataAddress; period: Period; zone: ZoneClock; change: Change }) {
  const { address, period, zone, change } = props
  const { t } = useTranslation('deviceData')
  const edge = (name: keyof Period) => (
    <MomentChoice
      kind="minute"
      label={t(name)}
      at={zone.local(period[name])}
      onChoose={(at) => {
        if (at === null) return
        const { from, to } = edited(period, name, zone.moment(at))
        change({ from: String(from), to: String(to), period: null })
      }}
    />
  )
  return (
    <div className="data-bar">
      <Segments
        label={t('step')}
        value={address.step}
        options={deviceDataSteps.map((value) => ({ value, label: t(`steps.${value}`) }))}
        onChange={(step) => change({ step })}
      />
      <Segments
        label={t('period')}
        value={address.range ? null : address.usual}
        options={usualPeriods.map((value) => ({ value, label: t(`periods.${value}`) }))}
        onChange={(usual) => change({ period: usual, from: null, to: null })}
      />
      <span className="edges">
        {edge('from')}
        <span aria-hidden="true">–</span>
        {edge('to')}
      </span>
    </div>
  )
}

/** The whole table as a file, not only its page. */
export function Exports({ asked }: { asked: Asked | null }) {
  const { t } = useTranslation('deviceData')
  const choice = (name: 'xlsx' | 'lines' | 'csv') => ({
    label: t(`exports.${name}`),
    ticket: () => {
      if (!asked) throw new Error('there is nothing to export')
      const as = { Format: name === 'csv' ? 'csv' : 'xlsx', Sheets: name === 'lines' ? 'line' : 'one' } as const
      return api.call(exportDeviceData, { body: { ...asked, ...as, Language: language() } })
    },
  })
  return <ExportChoices isEmpty={asked === null} choices={(['xlsx', 'lines', 'csv'] as const).map(choice)} />
}
