export * from './block-reason.ts'
export * from './command.ts'
export type { Condition } from './conditions.ts'
export {
  anotherUnderWay,
  freshForMs,
  inspectionLockMs,
  isProtection,
  mustBeExplained,
  operationGapMs,
  reachable,
} from './conditions.ts'
export * from './evidence.ts'
export * from './gateway.ts'
export * from './group-operation.ts'
export * from './impact.ts'
export type { CommandState, Life, LifeFact } from './life.ts'
export { commandStates, isFinal, isSameLife, isUnderWay, openStates, underWayStates, verifyGraceMs } from './life.ts'
export * from './line-facts.ts'
export * from './opening.ts'
export * from './permit.ts'
export * from './quiet-hours.ts'
export * from './reclosure.ts'
export * from './self-test.ts'
export * from './supervision.ts'
export * from './tags.ts'
export * from './trip-lockout.ts'
