import type { EnergyBalance } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { restShare, shareText } from './balance-rows.ts'
import { shownKwh } from './figures.ts'

/** All feeders together, and how many of them are as they should be. */
export function BalanceStrip({ balance: { Top, Verdicts, Total } }: { balance: EnergyBalance }) {
  const { t } = useTranslation('energyBalance')
  const shown = shownKwh(Top ? [{ Wh: Top.ChildrenWh }, { Wh: Top.RestWh }] : [], Top?.Wh ?? null)
  const counts = [
    ['partsAboveWhole', 'nAbove'],
    ['unmetered', 'nUnmetered'],
    ['unknown', 'nUnknown'],
    ['withinError', 'nWithin'],
  ] as const
  const [worst, ...others] = counts.filter(([key]) => Verdicts[key] > 0)
  return (
    <section className="strip">
      <div>
        <span className="mute">{t('top')}</span>
        <b>
          {shown.total} <span className="state">kWh</span>
        </b>
        <span className="state">{Top ? t('topLines', { count: Top.Lines }) : t('topUnknown')}</span>
      </div>
      {Top && (
        <>
          <div>
            <span className="mute">{t('parts')}</span>
            <b>
              {shown.bars[0]} <span className="state">kWh</span>
            </b>
            <span className="state">{t('partsShare', { share: shareText(Top.Wh > 0 ? Top.ChildrenWh / Top.Wh : null) })}</span>
          </div>
          <div>
            <span className="mute">{t('rest')}</span>
            <b>
              {shown.bars[1]} <span className="state">kWh {shareText(restShare(Top))}</span>
            </b>
            <span className="state">{t('restNote', { error: shown.of(Top.ErrorWh) })}</span>
          </div>
        </>
      )}
      <div>
        <span className="mute">
          {t('verdicts')} · {t('verdictsOf', { count: Total })}
        </span>
        {worst && <b className="balance-worst">{t(worst[1], { count: Verdicts[worst[0]] })}</b>}
        <span className="state">{others.map(([key, word]) => t(word, { count: Verdicts[key] })).join(' · ')}</span>
      </div>
    </section>
  )
}
