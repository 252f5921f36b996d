# Types
def isvalid(f): try (f | true) catch false;
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def strings: select(type == "string");
def numbers: select(type == "number");
def booleans: select(type == "boolean");
def nulls: select(. == null);
def values: select(. != null);
def finites: select(type == "number" and (isinfinite or isnan | not));
def normals: select(isnormal);

# Generators
def add(f): reduce f as $x (null; . + $x);
def recurse_down: recurse;
def nth($n; f): if $n < 0 then error("nth does not support negative indices") else first(skip($n; f)) end;
def in(xs): . as $key | xs | has($key);
def inside(xs): . as $part | xs | contains($part);
def index(part): indices(part) | .[0];
def rindex(part): indices(part) | .[-1];

# Paths
def del(f): delpaths([path(f)]);
def leaf_paths: paths(scalars);
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));

# Streams
def fromstream(f):
  foreach f as $event ({};
    (if .done then {} else . end)
    | if $event | length == 2
      then (.value |= setpath($event[0]; $event[1])) | .done = ($event[0] | length == 0)
      else .done = ($event[0] | length == 1) end;
    if .done then .value else empty end);
def truncate_stream(f): . as $depth | null | f | select(.[0] | length > $depth) | .[0] |= .[$depth:];

# Regular expressions
def test(re): test(re; null);
def match(re): match(re; null);
def capture(re): capture(re; null);
def scan(re): scan(re; null);
def splits(re): splits(re; null);
def sub(re; f; flags):
  reduce _pieces(re; flags)[] as $piece (""; . + ($piece | if type == "string" then . else f end));
def sub(re; f): sub(re; f; "");
def gsub(re; f; flags): sub(re; f; flags + "g");
def gsub(re; f): sub(re; f; "g");

# Dates
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todate: todateiso8601;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(unit; $seconds): . + $seconds;
def datesub(unit; $seconds): . - $seconds;

# Tables
def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] |= $row);
def INDEX(key): INDEX(.[]; key);
def IN(set): any(. == set; .);
def IN(source; set): any(source == set; .);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; rows; key): rows | [., $index[key]];
def JOIN($index; rows; key; join): rows | [., $index[key]] | join;

# Nothing is logged, and nothing can stop the host.
def debug: .;
def debug(message): .;
def stderr: .;
def halt_error: error;
def halt_error(code): error;
