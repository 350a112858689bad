import { useTranslation } from 'react-i18next'
import { localised as inWords } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { Comparison } from './compare.ts'
import { withUnit } from './values.ts'

/** Setting by setting, the line's own value beside the counterpart's. */
export function CompareTable({
  name,
  against,
  comparisons,
}: {
  name: string
  /** What the counterpart is called. */
  against: string
  comparisons: readonly Comparison[]
}) {
  const { t } = useTranslation('settings')
  return (
    <div className="scroll">
      <table className="param-table" aria-label={t('views.compare')}>
        <thead>
          <tr>
            <th>{t('values')}</th>
            <th className="end">{name}</th>
            <th className="end">{against}</th>
            <th>{t('difference')}</th>
          </tr>
        </thead>
        <tbody>
          {comparisons.map((comparison) => (
            <tr key={comparison.setting.key}>
              <th scope="row">{inWords(comparison.setting.label)}</th>
              <td className="end" data-head={name}>
                {withUnit(comparison.setting, comparison.own)}
              </td>
              <td className="end" data-head={against}>
                {withUnit(comparison.setting, comparison.their)}
              </td>
              <td data-head={t('difference')}>
                <Difference comparison={comparison} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Difference({ comparison: { setting, own, their, same } }: { comparison: Comparison }) {
  const { t } = useTranslation('settings')
  if (same)
    return (
      <span className="setting-status mute">
        <Icon name="check" />
        {t('equal')}
      </span>
    )
  return (
    <span className="setting-status warning">
      <Mark kind="warning" />
      {own === null || their === null ? '–' : `${their > own ? '+' : '−'}${withUnit(setting, Math.abs(their - own))}`}
    </span>
  )
}
