import type { EnergyPicture } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { regionName } from './carbon-regions.ts'
import { carbonText } from './figures.ts'

/** The carbon dioxide of what was used, by which factor, and where a year has none. */
export function CarbonFigure({ picture: { Total, Carbon } }: { picture: EnergyPicture }) {
  const { t } = useTranslation('energy')
  const { text, unit } = carbonText(Total.CarbonG)
  const without = Carbon.Years.filter(({ KgPerKwh }) => KgPerKwh === null).map(({ Year }) => Year)
  const standIn = Carbon.Years.filter(({ Year, Of }) => Of !== null && Of !== Year)
  const [first] = standIn
  return (
    <div>
      <span className="mute">{t('carbon')}</span>
      <b>
        {text} <span className="state">{unit}</span>
      </b>
      {Carbon.Region === null ? (
        <span className="state">{t('carbonNone')}</span>
      ) : (
        <>
          {without.length > 0 && <span className="state">{t('carbonWithout', { years: without.join('、') })}</span>}
          {first && (
            <span className="state" title={first.Source ?? ''}>
              {t('carbonStandIn', {
                years: standIn.map(({ Year }) => Year).join('、'),
                of: first.Of ?? '',
                factor: first.KgPerKwh ?? '',
              })}
            </span>
          )}
          {without.length === 0 && !first && Carbon.Years[0] && (
            <span className="state" title={Carbon.Years[0].Source ?? ''}>
              {t('carbonBy', { region: regionName(Carbon.Region), factor: Carbon.Years[0].KgPerKwh ?? '' })}
            </span>
          )}
        </>
      )}
    </div>
  )
}
