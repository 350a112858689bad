import type { Project, Supply } from '@linewarden/contract'
import { listSupplies } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { EndSupplyDialog, SupplyDialog } from './supply-dialog.tsx'
import { kiloText } from './supply-values.ts'

/** The supplies of a project, those that are over too. */
export function SupplyList({ house, reason }: { house: Project; reason: string | null }) {
  const { t } = useTranslation('energySettings')
  const query = useCall(listSupplies, { query: { HouseID: house.HouseID } })
  const [edited, setEdited] = useState<Supply | 'new' | null>(null)
  const [ending, setEnding] = useState<Supply | null>(null)
  const { data } = query
  return (
    <section className="energy-part" aria-label={t('supplies')}>
      <header>
        <h2>{t('supplies')}</h2>
        <ReasonedButton className="btn" reason={reason} onClick={() => setEdited('new')}>
          {t('addSupply')}
        </ReasonedButton>
      </header>
      <p className="mute">{t('suppliesHint')}</p>
      {!data && <Unloaded query={query} />}
      {data?.items.length === 0 && <Empty title={t('noSupplies')} hint={t('noSuppliesHint')} />}
      {data && data.items.length > 0 && (
        <ul className="energy-cards">
          {data.items.map((supply) => (
            <li key={supply.SupplyID} aria-label={supply.Name}>
              <SupplyFacts supply={supply} />
              <div className="acts">
                <ReasonedButton className="btn small" reason={reason} onClick={() => setEdited(supply)}>
                  {t('edit')}
                </ReasonedButton>
                {supply.To === null && (
                  <ReasonedButton className="btn small quiet" reason={reason} onClick={() => setEnding(supply)}>
                    {t('end')}
                  </ReasonedButton>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {edited !== null && (
        <SupplyDialog house={house} supply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {ending && <EndSupplyDialog house={house} supply={ending} onClose={() => setEnding(null)} />}
    </section>
  )
}

function SupplyFacts({ supply }: { supply: Supply }) {
  const { t } = useTranslation('energySettings')
  const { Name, AccountNo, Members, CapacityVa, DeclaredW, PowerFactorStandard, BillingDay, From, To } = supply
  const facts = [
    CapacityVa === null ? null : t('capacityIs', { kva: kiloText(CapacityVa) }),
    DeclaredW === null ? null : t('declaredIs', { kw: kiloText(DeclaredW) }),
    PowerFactorStandard === null ? null : t('standardIs', { standard: (PowerFactorStandard / 100).toFixed(2) }),
    BillingDay === 0 ? t('naturalMonth') : t('billingDayIs', { day: BillingDay }),
  ]
  return (
    <>
      <h3>{Name}</h3>
      <p className="mute">
        {AccountNo !== '' && <span>{t('accountIs', { number: AccountNo })}</span>}
        <span>{To === null ? t('since', { from: From }) : t('between', { from: From, to: To })}</span>
      </p>
      <ul className="energy-members">
        {Members.map(({ LineID, Sign, Name: line }) => (
          <li key={LineID}>
            <b aria-hidden="true">{Sign === 1 ? '+' : '−'}</b>
            <span className="hidden-visually">{t(Sign === 1 ? 'counts' : 'takenOff')}</span>
            {line ?? <span className="mute">{t('lineGone')}</span>}
          </li>
        ))}
      </ul>
      <p className="mute">{facts.map((fact) => fact !== null && <span key={fact}>{fact}</span>)}</p>
    </>
  )
}
