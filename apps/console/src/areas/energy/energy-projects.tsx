import type { Project } from '@linewarden/contract'
import { maxReportProjects } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { EnergyUnit } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import type { Selection } from '../../plant/equipment.ts'
import { useByNow } from '../../ui/use-now.ts'
import { EnergyParts } from './energy-parts.tsx'
import { periodOf } from './period.ts'
import { PeriodTools } from './period-tools.tsx'
import { useEnergyAddress } from './use-energy-address.ts'

/** A day, a month, a year of each project's clock; years side by side are of one project. */
const units = ['hour', 'day', 'month'] as const satisfies readonly EnergyUnit[]
const lengths = { hour: 'day', day: 'month', month: 'year' } as const

/** What these projects used, before one is chosen. */
export function EnergyProjects({ houses, select }: { houses: readonly Project[]; select: (to: Selection) => void }) {
  const { t } = useTranslation('energy')
  const zone = civilZone(houses[0]?.TimeZone ?? 'UTC')
  const today = useByNow((now) => zone.dayAt(now))
  const [read, go] = useEnergyAddress(today)
  const address = read.unit === 'year' ? { ...read, unit: 'month' as const } : read
  const { first, end } = periodOf(address)
  const ask = {
    ...{ Rows: 'project' as const, From: dateText(first), To: dateText(end) },
    // Of more than a question may name all are asked for.
    ...(houses.length <= maxReportProjects && { HouseIDs: houses.map(({ HouseID }) => HouseID) }),
    ...(address.compare && { Compare: address.compare }),
  }
  return (
    <>
      <PeriodTools
        {...{ address, today, go }}
        units={{ label: t('period'), options: units.map((each) => ({ value: each, label: t(lengths[each]) })) }}
        isCompared
      />
      <div className="energy-body">
        <EnergyParts
          key={ask.HouseIDs?.join()}
          ask={ask}
          caption={t('byProject')}
          onOpen={({ HouseID }) => select({ kind: 'house', id: HouseID })}
        />
        <p className="energy-foot mute">{t('byOwnClock')}</p>
      </div>
    </>
  )
}
