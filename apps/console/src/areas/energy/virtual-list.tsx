import type { Project, VirtualMeter } from '@linewarden/contract'
import { listVirtualMeters } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { energyOfMeter } from '../../paths.ts'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { VirtualDialog } from './virtual-dialog.tsx'
import { virtualMeters } from './virtual-texts.ts'

addTexts({ virtualMeters })

/** The virtual meters of a project. */
export function VirtualList({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('virtualMeters')
  const query = useCall(listVirtualMeters, { query: { HouseID: house.HouseID } })
  const [edited, setEdited] = useState<VirtualMeter | 'new' | null>(null)
  const meters = query.data?.items
  return (
    <section className="energy-part" aria-label={t('virtual')}>
      <header>
        <h2>{t('virtual')}</h2>
        <ReasonedButton className="btn" reason={reason} onClick={() => setEdited('new')}>
          {t('add')}
        </ReasonedButton>
      </header>
      <p className="mute">{t('hint')}</p>
      {!meters && <Unloaded query={query} />}
      {meters?.length === 0 && <Empty title={t('none')} hint={t('noneHint')} />}
      <ul className="energy-cards">
        {meters?.map((meter) => (
          <li key={meter.MeterID} aria-label={meter.Name}>
            <h3>{meter.Name}</h3>
            <p className="mute">
              <span>
                {meter.To === null ? t('since', { from: meter.From }) : t('between', { from: meter.From, to: meter.To })}
              </span>
              {meter.FloorsAtZero && <span>{t('floors')}</span>}
            </p>
            <ul className="energy-members">
              {meter.Terms.map(({ LineID, MeterID, Factor, Name }) => (
                <li key={`${LineID} ${MeterID}`}>
                  {Factor > 0 && '+'}
                  {String(Factor).replace('-', '−')} × {Name ?? <span className="mute">{t('gone')}</span>}
                </li>
              ))}
            </ul>
            <div className="acts">
              <Link className="btn small" to={energyOfMeter(house.HouseID, meter.MeterID)}>
                {t('show')}
              </Link>
              <ReasonedButton className="btn small quiet" reason={reason} onClick={() => setEdited(meter)}>
                {t('change')}
              </ReasonedButton>
            </div>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <VirtualDialog
          house={house}
          meter={edited === 'new' ? null : edited}
          others={(meters ?? []).filter((each) => each !== edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
