import type { PermitCondition } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import './permit.css'

interface BoxProps {
  readonly conditions: readonly PermitCondition[]
  /** What it says when everything is met, and when something is not. */
  readonly may: string
  readonly mayNot: string
  readonly needsGrant?: boolean
  /** It is so already: what it says then. The conditions are folded away. */
  readonly done?: string | null
  /** Something that can be done at once about a block reason. */
  readonly remedy?: (key: string) => ReactNode
}

/** Every condition of an operation: first what blocks, why, and who can clear it; then what is met. */
export function PermitBox({ conditions, may, mayNot, needsGrant = false, done = null, remedy }: BoxProps) {
  const { t } = useTranslation('control')
  const blockReasons = conditions.filter(({ Met }) => !Met)
  const met = conditions.filter(({ Met }) => Met)
  const all = (
    <>
      <BlockReasons conditions={blockReasons} {...(remedy && { remedy })} />
      <p className="met">
        {met.map(({ Key, What }) => (
          <span key={Key}>
            <Icon name="check" />
            {localised(What)}
          </span>
        ))}
        {needsGrant && (
          <span>
            <Icon name="lock" />
            {t('needsGrant')}
          </span>
        )}
      </p>
    </>
  )
  if (done !== null)
    return (
      <details className="permit">
        <summary className="verdict">
          <Icon name="check" />
          {done}
          <span className="grow" />
          <span className="mute">{t('showConditions')}</span>
        </summary>
        {all}
      </details>
    )
  return (
    <div className="permit">
      <p className="verdict">
        <Icon name={blockReasons.length === 0 ? 'check' : 'hand'} />
        {blockReasons.length === 0 ? may : mayNot}
        <span className="grow" />
        <span className="mute">{t('summary', { unmet: blockReasons.length, met: met.length })}</span>
      </p>
      {all}
    </div>
  )
}

/** What blocks, why, and who can clear it. */
export function BlockReasons({ conditions, remedy }: Pick<BoxProps, 'conditions' | 'remedy'>) {
  const { t } = useTranslation('control')
  return (
    <ul>
      {conditions.map(({ Key, What, Why, Clears }) => (
        <li key={Key}>
          <Icon name="lock" />
          <span>
            {localised(Why ?? What)}
            <small>{t('required', { what: localised(What) })}</small>
          </span>
          <span className="who">
            {Clears && localised(Clears)}
            {remedy?.(Key)}
          </span>
        </li>
      ))}
    </ul>
  )
}
