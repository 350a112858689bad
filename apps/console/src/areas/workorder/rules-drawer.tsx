import type { OrderRule } from '@linewarden/contract'
import { queryOrderRules, updateOrderRule } from '@linewarden/contract'
import { ruleOrdersPerHour } from '@linewarden/rules/workorder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { addTexts, localised } from '../../ui/i18n.ts'
import { PickField } from '../../ui/pick-field.tsx'
import { placeChosen } from './order-target.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { orderRules } from './rule-texts.ts'
import './rules-drawer.css'

addTexts({ orderRules })

/** The rules of one project by which orders are made of alarms. */
export function RulesDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['orderRules', 'app'])
  const [selection] = useSelection()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const only = houses.length === 1 ? String(houses[0]?.HouseID) : ''
  const [chosen, setChosen] = useState(placeChosen(selection).house)
  const houseId = Number(chosen || only) || null
  return (
    <Drawer label={t('title')} title={<h2>{t('title')}</h2>} onClose={onClose}>
      <div className="drawer-parts">
        <section className="part">
          <p className="mute">{t('hint', { count: ruleOrdersPerHour })}</p>
          <PickField
            label={t('app:project')}
            options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
            value={houseId === null ? '' : String(houseId)}
            placeholder={t('chooseProject')}
            onChange={setChosen}
          />
        </section>
        {houseId !== null && <RulesOf key={houseId} houseId={houseId} />}
      </div>
    </Drawer>
  )
}

function RulesOf({ houseId }: { houseId: number }) {
  const { t } = useTranslation('orderRules')
  const query = useCall(queryOrderRules, { body: { HouseID: houseId } })
  const [edited, setEdited] = useState<OrderRule | 'new' | null>(null)
  const [removing, setRemoving] = useState<OrderRule | null>(null)
  const { data } = query
  if (!data) return <Unloaded query={query} />
  const labels = new Map(data.about.Alarms.map(({ Key, Label }) => [Key, localised(Label)]))
  const reason = data.about.MayChange ? null : t('administrators')
  return (
    <section className="part" aria-label={t('title')}>
      {data.items.length === 0 && <Empty title={t('none')} />}
      <ul className="order-rules">
        {data.items.map((rule) => (
          <li key={rule.RuleID}>
            <h3>
              {rule.Name} <small className={rule.Enabled ? 'on' : undefined}>{t(rule.Enabled ? 'on' : 'off')}</small>
            </h3>
            <p>
              <RuleText rule={rule} labels={labels} />
            </p>
            <p className="mute">{[t('made', { count: rule.Made }), `${t('owner')} ${rule.Owner}`].join(' · ')}</p>
            <div className="acts">
              <ReasonedButton className="btn small" reason={reason} onClick={() => setEdited(rule)}>
                {t('edit')}
              </ReasonedButton>
              <ReasonedButton className="btn small quiet" reason={reason} onClick={() => setRemoving(rule)}>
                {t('remove')}
              </ReasonedButton>
            </div>
          </li>
        ))}
      </ul>
      <ReasonedButton className="btn primary" reason={reason} onClick={() => setEdited('new')}>
        {t('add')}
      </ReasonedButton>
      {edited !== null && (
        <RuleDialog
          houseId={houseId}
          rule={edited === 'new' ? null : edited}
          alarms={data.about.Alarms}
          onClose={() => setEdited(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={t('remove')}
          what={t('sureRemove', { name: removing.Name })}
          submit={t('remove')}
          onConfirm={async () => {
            const { RuleID, Version } = removing
            try {
              await change(updateOrderRule, { body: { HouseID: houseId, RuleID, Version, Rule: null } })
              return null
            } catch (error) {
              return messageOf(error)
            }
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  )
}

/** What it is about, when it sends, and whom. */
function RuleText({ rule, labels }: { rule: OrderRule; labels: ReadonlyMap<string, string> }) {
  const { t } = useTranslation(['orderRules', 'workOrders'])
  const people = rule.People.map(({ Name }) => Name).join('、')
  return [
    rule.Keys.length === 0 ? t('anyAlarm') : rule.Keys.map((key) => labels.get(key) ?? key).join('、'),
    rule.Priorities.length === 0
      ? t('anyPriority')
      : rule.Priorities.map((each) => t(`workOrders:priorities.${each}`)).join('、'),
    rule.AfterMin === 0 ? t('atOnce') : t('afterMin', { count: rule.AfterMin }),
    rule.Rota ? `${t('rota')} ${people}` : people || t('nobody'),
  ].join(' · ')
}
