import type { Call, Scope } from '../../core/call.ts'
import type { NamedSubject } from '../../subjects/named-subject.ts'

/**
 * What a request names: the first that is there is what a refusal of it is about in the log, and all of them together say in whose log it
 * stands. A call that does not say names what its scope is checked against.
 */
export const subjectsOf = ({ subject, scope }: Pick<Call, 'subject' | 'scope'>): readonly NamedSubject[] =>
  subject ?? subjectsOfScope(scope)

function subjectsOfScope(scope: Scope): readonly NamedSubject[] {
  switch (scope.kind) {
    case 'line':
      return [scope.line === undefined ? aboutDevice(scope.device) : { kind: 'line', device: scope.device, line: scope.line }]
    case 'lines':
      return [{ kind: 'line', each: scope.id }]
    case 'controller':
    case 'device':
      return [aboutDevice(scope.id)]
    case 'gateway':
      return [{ kind: 'gatewayId', id: scope.id }]
    case 'gateways':
      return [
        { kind: 'gatewayId', id: scope.id },
        { kind: 'project', id: scope.project },
      ]
    case 'project':
    case 'group':
    case 'event':
      return [{ kind: scope.kind, id: scope.id }]
    case 'projects':
      return [
        { kind: 'group', id: scope.group },
        { kind: 'project', id: scope.id },
      ]
    default:
      return []
  }
}

const aboutDevice = (id: string): NamedSubject => ({ kind: 'device', id })
