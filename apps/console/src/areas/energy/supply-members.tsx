import type { Supply } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { Segments } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import type { SupplyValues } from './supply-values.ts'

type Members = SupplyValues['Members']

/** Which lines make a supply up, each counted or taken off. */
export function SupplyMembers(props: {
  houseId: number
  /** As they were called when the form was opened: one that has left the project still has its row. */
  former: Supply['Members']
  most: number
  value: Members
  error: string | null
  onChange: (value: Members) => void
}) {
  const { houseId, former, most, value, error, onChange } = props
  const { t } = useTranslation('energySettings')
  const { projects, lacking } = useProjects([houseId])
  const lines = useLineRefs(projects).filter(({ family }) => family?.level !== 'device')
  const names = new Map(former.map(({ LineID, Name }) => [LineID, Name ?? t('lineGone')]))
  for (const { line } of lines) names.set(line.LineID, line.LineName)
  const isFull = value.length >= most
  return (
    <div className="energy-member-fields">
      {lacking && <Unloaded query={lacking} />}
      <PickField
        label={t('members')}
        required
        hint={isFull ? t('membersFull', { most }) : t('membersHint')}
        error={error}
        disabled={isFull}
        options={lines
          .filter(({ line }) => !value.some(({ LineID }) => LineID === line.LineID))
          .map(({ line, gateway }) => ({ value: String(line.LineID), label: line.LineName, note: gateway.GatewayName }))}
        value=""
        placeholder={t('addLine')}
        onChange={(added) => added !== '' && onChange([...value, { LineID: Number(added), Sign: 1 }])}
      />
      {value.map(({ LineID, Sign }) => {
        const name = names.get(LineID) ?? String(LineID)
        return (
          <div className="energy-member" key={LineID} role="group" aria-label={name}>
            <span>{name}</span>
            <Segments
              label={t('signOf', { name })}
              value={Sign === 1 ? 'counts' : 'takenOff'}
              options={(['counts', 'takenOff'] as const).map((each) => ({ value: each, label: t(each) }))}
              onChange={(to) =>
                onChange(value.map((each) => (each.LineID === LineID ? { LineID, Sign: to === 'counts' ? 1 : -1 } : each)))
              }
            />
            <button
              type="button"
              className="btn quiet"
              aria-label={t('takeOut', { name })}
              onClick={() => onChange(value.filter((each) => each.LineID !== LineID))}
            >
              <Icon name="close" />
            </button>
          </div>
        )
      })}
    </div>
  )
}
