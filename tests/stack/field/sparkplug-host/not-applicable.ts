/**
 * Assertions of the Sparkplug 3.0 test kit on hosts that ask nothing of this one, with the reason. The broker is part of the host: nothing
 * connects to it, so there is no connection, subscription or will of the host's own (ADR 11).
 */
const noClientOfItsOwn = 'the broker is part of the host: it has no MQTT connection, subscription or will of its own'
const diesTogether = 'the broker ends together with the host: nobody is there to read what is retained'
const inOrder = 'nothing lies between an edge and the host that could change the order of its messages (ADR 36)'
const oneServer = 'the host has one MQTT server, its own'

export const notApplicable: Readonly<Record<string, string>> = {
  'host-topic-phid-birth-payload-timestamp': noClientOfItsOwn,
  'host-topic-phid-birth-sub-required': noClientOfItsOwn,
  'host-topic-phid-death-required': noClientOfItsOwn,
  'host-topic-phid-death-retain': diesTogether,
  'message-flow-edge-node-birth-publish-will-message-topic': 'an assertion on the edge node',
  'message-flow-phid-sparkplug-clean-session-311': noClientOfItsOwn,
  'message-flow-phid-sparkplug-clean-session-50': noClientOfItsOwn,
  'message-flow-phid-sparkplug-state-publish-payload-timestamp': noClientOfItsOwn,
  'message-flow-phid-sparkplug-subscription': noClientOfItsOwn,
  'operational-behavior-host-application-connect-will': noClientOfItsOwn,
  'operational-behavior-host-application-connect-will-payload': noClientOfItsOwn,
  'operational-behavior-host-application-connect-will-qos': noClientOfItsOwn,
  'operational-behavior-host-application-connect-will-retained': noClientOfItsOwn,
  'operational-behavior-host-application-connect-will-topic': noClientOfItsOwn,
  'operational-behavior-host-application-death-retained': diesTogether,
  'operational-behavior-host-application-multi-server-timestamp': oneServer,
  'operational-behavior-primary-application-state-with-multiple-servers-state-subs': oneServer,
  'operational-behavior-host-reordering-param': inOrder,
  'operational-behavior-host-reordering-start': inOrder,
  'operational-behavior-host-reordering-success': inOrder,
  'payloads-state-subscribe': noClientOfItsOwn,
  'payloads-state-will-message': noClientOfItsOwn,
  'payloads-state-will-message-payload': noClientOfItsOwn,
  'payloads-state-will-message-qos': noClientOfItsOwn,
  'payloads-state-will-message-retain': noClientOfItsOwn,
  'payloads-sequence-num-req-nbirth': 'contradicts topics-nbirth-seq-num, which asks for 0 and is kept',
  'conformance-mqtt-retained': 'asked of MQTT servers for anybody: equipment may retain nothing here (docs/wire-protocol.md)',
}
