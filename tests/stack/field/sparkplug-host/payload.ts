import protobuf from 'protobufjs'

/** The payload as Sparkplug 3.0, section 6.4.1, defines it; read by a library of its own, so that our codec is not judged by itself. */
const definition = `
syntax = "proto2";
message Payload {
  message PropertyValue { optional uint32 type = 1; optional bool is_null = 2; optional uint32 int_value = 3; optional string string_value = 8; }
  message PropertySet { repeated string keys = 1; repeated PropertyValue values = 2; }
  message MetaData { optional bool is_multi_part = 1; optional string content_type = 2; optional string description = 8; }
  message DataSet { optional uint64 num_of_columns = 1; repeated string columns = 2; repeated uint32 types = 3; }
  message Template { optional string version = 1; optional string template_ref = 4; optional bool is_definition = 5; }
  message Metric {
    optional string name = 1;
    optional uint64 alias = 2;
    optional uint64 timestamp = 3;
    optional uint32 datatype = 4;
    optional bool is_historical = 5;
    optional bool is_transient = 6;
    optional bool is_null = 7;
    optional MetaData metadata = 8;
    optional PropertySet properties = 9;
    oneof value {
      uint32 int_value = 10;
      uint64 long_value = 11;
      float float_value = 12;
      double double_value = 13;
      bool boolean_value = 14;
      string string_value = 15;
      bytes bytes_value = 16;
      DataSet dataset_value = 17;
      Template template_value = 18;
    }
  }
  optional uint64 timestamp = 1;
  repeated Metric metrics = 2;
  optional uint64 seq = 3;
  optional string uuid = 4;
  optional bytes body = 5;
}`

const Payload = protobuf.parse(definition, { keepCase: true }).root.lookupType('Payload')

/** One metric as it stands on the wire; a field that was not sent is not there. */
export interface WireMetric {
  readonly name?: string
  readonly alias?: number
  readonly timestamp?: number
  readonly datatype?: number
  readonly is_historical?: boolean
  readonly is_null?: boolean
  readonly int_value?: number
  readonly long_value?: number
  readonly float_value?: number
  readonly double_value?: number
  readonly boolean_value?: boolean
  readonly string_value?: string
  readonly bytes_value?: Uint8Array
  readonly dataset_value?: object
  readonly template_value?: object
  readonly properties?: object
  readonly metadata?: object
}

export interface WirePayload {
  readonly timestamp?: number
  readonly metrics?: readonly WireMetric[]
  readonly seq?: number
}

export const encode = (payload: WirePayload): Buffer => Buffer.from(Payload.encode(Payload.create(payload)).finish())

/** Throws when the bytes are no payload of the standard. 64-bit values come as numbers. */
export const decode = (bytes: Uint8Array): WirePayload => Payload.toObject(Payload.decode(bytes), { longs: Number })

/** Codes of the standard's data types (section 6.4.16). */
export const Type = {
  Int8: 1,
  Int16: 2,
  Int32: 3,
  Int64: 4,
  UInt8: 5,
  UInt16: 6,
  UInt32: 7,
  UInt64: 8,
  Float: 9,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
  Text: 14,
  UUID: 15,
  DataSet: 16,
  Bytes: 17,
  File: 18,
  Template: 19,
} as const
